// Jest's resolver, except that a gathered package is loaded from its file in dist.packages/.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const folder = join(__dirname, '../../../dist.packages');
const packageOf = (file) => /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(file)?.[0];

/** Read once in a process, when it is there: the global setup writes it. */
let gathered;
function read() {
  const { files } = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
  const originals = Object.entries(files);
  gathered = {
    files: new Map(originals.map(([original, file]) => [original, join(folder, file)])),
    packages: new Set(originals.map(([original]) => packageOf(original))),
  };
  return gathered;
}

/**
 * @throws when a part of a gathered package is asked for that was not gathered: beside its file it
 *   would be there twice, with classes and a state of its own.
 */
module.exports = function resolve(request, options) {
  const found = options.defaultResolver(request, options);
  const { files, packages } = gathered ?? read();
  const instead = files.get(found);
  if (instead) return instead;
  const owner = packageOf(found);
  if (
    packages.has(owner) &&
    packageOf(join(options.basedir, 'x')) !== owner &&
    found !== join(owner, 'package.json')
  ) {
    const reason = `"${request}" is not gathered: add it to test/support/packages/gathered.mjs`;
    // Jest keeps the error to itself and says that the module cannot be found.
    process.stderr.write(`${reason}\n`);
    throw new Error(reason);
  }
  return found;
};
