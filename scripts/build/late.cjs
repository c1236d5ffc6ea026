/**
 * A stand-in for a CommonJS module. It loads the module when something of the module is first used. `isTranspiled` is
 * true if the module sets `__esModule`. Importers read that property at once, so it must be known before the module is
 * loaded.
 */
module.exports = (load, isTranspiled) =>
  new Proxy(() => {}, {
    get: (_, key) => (key === "__esModule" ? isTranspiled : load()[key]),
    has: (_, key) => key in load(),
    apply: (_, self, given) => Reflect.apply(load(), self, given),
  });
