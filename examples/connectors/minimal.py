"""A connector for svc in one file: the roots are the entries of a JSON file."""
import datetime, fcntl, json, os, re, sys

PROTOCOL = "svc.connector.v1"
PARAMS = {"describe": [], "resolve_root": ["locator"], "read_root": ["root_key"],
          "list_comments": ["root_key"], "complete_root": ["root_key"]}
UNADVERTISED = ["publish_comment", "list_fields", "read_fields", "write_fields"]
ACCOUNT = "minimal"

class Refused(Exception):
    """An error that svc is told: a code and a message."""

def root_of(entry):
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
    return {"key": entry["key"], "identity_key": ACCOUNT, "title": entry["title"],
            "body": entry["body"], "state": entry["state"], "revision": str(entry["revision"]),
            "updated_at": entry["updated_at"], "observed_at": now}

def find(entries, member, value):
    for entry in entries:
        if entry[member] == value:
            return entry
    raise Refused("root_not_found", "there is no such entry")

def run(method, params, path):
    if method == "describe":
        return {"connector_id": "svc.example.minimal", "display_name": "Entries of a file",
                "protocol": PROTOCOL, "capabilities": [], "account_identity": ACCOUNT}
    if method in UNADVERTISED:
        raise Refused("unsupported", "this connector cannot do that")
    lock = open(path + ".lock", "w")
    fcntl.flock(lock, fcntl.LOCK_EX)  # svc makes several calls at once
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)
    if method == "resolve_root":
        return root_of(find(entries, "name", params["locator"]))
    entry = find(entries, "key", params["root_key"])
    if method == "list_comments":
        return {"comments": sorted(entry["comments"], key=lambda one: (one["created_at"], one["id"]))}
    if method == "complete_root" and entry["state"] != "complete":
        entry.update(state="complete", revision=entry["revision"] + 1)
        entry["updated_at"] = root_of(entry)["observed_at"]
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            json.dump(entries, file)
        os.replace(path + ".tmp", path)
    return root_of(entry)

request = json.load(sys.stdin)
settings, params, method = request["settings"], request["params"], request["method"]
known = sorted(request) == ["id", "instance", "method", "params", "protocol", "settings"]
if not known or request["protocol"] != PROTOCOL or not re.fullmatch("[0-9a-f]{32}", request["id"]) \
        or not isinstance(settings, dict) or not isinstance(params, dict) \
        or (method not in UNADVERTISED and sorted(params) != PARAMS[method]):
    sys.exit(2)
try:
    answer = {"result": run(method, params, settings["path"])}
except Refused as refused:
    answer = {"error": {"code": refused.args[0], "message": refused.args[1]}}
print(json.dumps({"protocol": PROTOCOL, "id": request["id"], **answer}))
