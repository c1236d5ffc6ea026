/**
 * A stand-in for a CommonJS module, which loads the module when something of it is first used. `isTranspiled`: whether
 * the module sets `__esModule`. Importers read that property at once, so it must be known before the module is loaded.
 */
module.exports = (load, isTranspiled) =>
  new Proxy(() => {}, {
    get: (_, key) => (key === "__esModule" ? isTranspiled : load()[key]),
    has: (_, key) => key in load(),
    apply: (_, self, given) => Reflect.apply(load(), self, given),
  });
