// A fault at the n-th await (rel-R13). Preloaded into a server, it rewrites the built code of the application as it is loaded, so
// that each `await` first asks here, and listens on 127.0.0.1:$FAULT_AWAIT_PORT for which of them is to throw.
import { createServer } from 'node:http';
import Module from 'node:module';
import { parseAst } from 'vite';

let seen = 0;
let throwsAt = 0;
let thrown = null;

globalThis.__awaited = (value, where) => {
  seen += 1;
  if (seen !== throwsAt) return value;
  thrown = where;
  // Whatever was awaited goes on by itself; nobody hears of it any more.
  if (typeof value?.then === 'function') value.then(undefined, () => {});
  return Promise.reject(new Error('a fault made by the test'));
};

/** The places of all awaits in a piece of code: where what is awaited begins and ends. */
function findAwaits(node, found = []) {
  if (Array.isArray(node)) for (const each of node) findAwaits(each, found);
  else if (node !== null && typeof node === 'object') {
    if (node.type === 'AwaitExpression') found.push(node.argument);
    for (const [key, each] of Object.entries(node)) if (key !== 'type') findAwaits(each, found);
  }
  return found;
}

function rewrite(code) {
  const marks = findAwaits(parseAst(code).body).flatMap(({ start, end }) => [
    { at: start, order: start - end, text: 'globalThis.__awaited(' },
    {
      at: end,
      order: end - start,
      text: `,${JSON.stringify(code.slice(Math.max(0, start - 60), Math.min(end, start + 100)))})`,
    },
  ]);
  // At one place inner ends come before outer ones, and outer beginnings before inner ones.
  marks.sort((a, b) => a.at - b.at || a.order - b.order);
  let from = 0;
  let made = '';
  for (const { at, text } of marks) {
    made += code.slice(from, at) + text;
    from = at;
  }
  return made + code.slice(from);
}

const compile = Module.prototype._compile;
Module.prototype._compile = function (code, path, ...more) {
  const isOurs = /[\\/]\.next[\\/]server[\\/].*\.js$/.test(path) && /\bawait\b/.test(code);
  return compile.call(this, isOurs ? rewrite(code) : code, path, ...more);
};

// Asked `/n`: the n-th await from now on throws. Answers how many there were since it was asked last, and what threw, if any.
createServer((request, response) => {
  response.end(JSON.stringify({ seen, thrown }));
  seen = 0;
  thrown = null;
  throwsAt = Number(request.url.slice(1));
})
  .listen(Number(process.env.FAULT_AWAIT_PORT), '127.0.0.1')
  .unref();
