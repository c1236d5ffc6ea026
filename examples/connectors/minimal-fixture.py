"""Changes the provider of minimal.py, a JSON file, for `svc connector test`."""
import json
import sys

PROTOCOL = "svc.connector.fixture.v1"

def moment(second):
    return "2026-01-01T10:00:%02dZ" % second

def comment(number):
    return {"id": "c%d" % number, "revision": "1", "body": "Comment %d" % number,
            "author": {"id": "ann"}, "created_at": moment(number), "updated_at": moment(number),
            "deleted": False}

def reset(entries, _params):
    entry = {"key": "test-1", "name": "test", "title": "The title", "body": "The body", "state": "open",
             "revision": 1, "updated_at": moment(0), "comments": [comment(at) for at in (1, 2, 3)]}
    return [one for one in entries if one["key"] != entry["key"]] + [entry], {"locator": "test"}

def find(entries, params):
    [entry] = [one for one in entries if one["key"] == params["root_key"]]
    return entry

def state(entries, params):
    entry = find(entries, params)
    comments = [{name: one[name] for name in ("id", "body", "deleted")} for one in entry["comments"]]
    root = {name: entry[name] for name in ("title", "body", "state")}
    return entries, {"root": root, "comments": comments, "fields": {}, "raw": json.dumps(entry)}

def edit_comment(entries, params, **changes):
    for one in find(entries, params)["comments"]:
        if one["id"] == params["comment_id"]:
            one.update(changes or {"body": params["body"]}, revision=one["revision"] + "1", updated_at=moment(59))
    return entries, {}

def delete_comment(entries, params):
    return edit_comment(entries, params, deleted=True, body="")

METHODS = {"reset": reset, "state": state, "edit_comment": edit_comment, "delete_comment": delete_comment}

request = json.load(sys.stdin)
path = request["settings"]["path"]
if request["protocol"] != PROTOCOL:
    sys.exit(2)
try:
    with open(path, encoding="utf-8") as file:
        known = json.load(file)
except FileNotFoundError:
    known = []
entries, result = METHODS[request["method"]](known, request["params"])
with open(path, "w", encoding="utf-8") as file:
    json.dump(entries, file)
print(json.dumps({"protocol": PROTOCOL, "id": request["id"], "result": result}))
