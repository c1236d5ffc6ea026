/**
 * Stands for a CommonJS module and loads it when something of it is first used.
 * `isTranspiled`: whether the module says of itself that it was an ES module, which its importer asks at once.
 */
module.exports = (load, isTranspiled) =>
  new Proxy(() => {}, {
    get: (_, key) => (key === "__esModule" ? isTranspiled : load()[key]),
    has: (_, key) => key in load(),
    apply: (_, self, given) => Reflect.apply(load(), self, given),
  });
