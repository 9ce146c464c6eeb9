/**
 * The one Trusted Types policy. It lets the chunk loader load this build's own scripts and nothing else; it makes no HTML
 * and no script text, so `innerHTML` and its kin stay closed however a text gets to them. It gives an address back as it
 * came: the loader knows a chunk by its `src` as it stands, and waits for ever for one that was renamed (Next 16.4).
 */
export const TRUSTED_TYPES_SCRIPT =
  "window.trustedTypes&&trustedTypes.createPolicy('default',{createScriptURL:function(u){" +
  'var x=new URL(u,location.href);' +
  "return x.origin===location.origin&&x.pathname.indexOf('/_next/static/')===0?u:null}});";

/**
 * Zod compiles parsers with `new Function` and tries at the first schema whether it may; under the policy the try alone is a
 * reported breach. It reads this setting when it loads (zod 4.6.7), so it must stand before any chunk runs.
 */
const NO_COMPILED_PARSERS = 'window.__zod_globalConfig={jitless:true};';

const HEAD = '<head>';

/**
 * Puts the policy first into a page's head, so that no script can run before it. Takes the pieces of a page in order; the
 * answer is what to send on for each. A page without a head in its first 64 kB is passed as it is.
 */
export function createHeadInserter(nonce: string): {
  readonly push: (piece: Buffer) => Buffer;
  readonly end: () => Buffer;
} {
  let held: Buffer | null = Buffer.alloc(0);
  const release = (): Buffer => {
    const rest = held ?? Buffer.alloc(0);
    held = null;
    return rest;
  };
  return {
    push(piece) {
      if (held === null) return piece;
      held = Buffer.concat([held, piece]);
      const at = held.indexOf(HEAD);
      if (at === -1) return held.length > 65_536 ? release() : Buffer.alloc(0);
      const script = Buffer.from(`<script nonce="${nonce}">${TRUSTED_TYPES_SCRIPT}${NO_COMPILED_PARSERS}</script>`);
      const whole = release();
      const cut = at + HEAD.length;
      return Buffer.concat([whole.subarray(0, cut), script, whole.subarray(cut)]);
    },
    end: release,
  };
}
