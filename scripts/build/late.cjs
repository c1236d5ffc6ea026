/**
 * Stands for a CommonJS module and loads it when something of it is first used. `isTranspiled`: whether the module has
 * the mark `__esModule`. Importers read the mark at once, so it must be known before the module is loaded.
 */
module.exports = (load, isTranspiled) =>
  new Proxy(() => {}, {
    get: (_, key) => (key === "__esModule" ? isTranspiled : load()[key]),
    has: (_, key) => key in load(),
    apply: (_, self, given) => Reflect.apply(load(), self, given),
  });
