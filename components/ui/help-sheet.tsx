'use client';

import { capsOf } from './chord';
import { Dialog } from './dialog';
import { type CommandScope, commandIds, keyboardCatalogue } from './keyboard-catalogue';
import { useKeyboard } from './keyboard-provider';

const scopes: readonly { readonly scope: CommandScope; readonly title: string }[] = [
  { scope: 'everywhere', title: 'Everywhere' },
  { scope: 'no field', title: 'While no field has the focus' },
  { scope: 'composer', title: 'Composer' },
  { scope: 'conversation', title: 'Conversation' },
  { scope: 'transcript', title: 'Transcript' },
  { scope: 'fold', title: 'A summary with the focus' },
  { scope: 'message', title: 'A message with the focus' },
  { scope: 'session row', title: 'A conversation in the list' },
  { scope: 'ordered list', title: 'Ordered lists' },
  { scope: 'diff', title: 'What changed' },
  { scope: 'editor', title: 'Agent and skill editor' },
];

/** Every key in force, by where it acts. */
export function HelpSheet({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard" width="wide" scrollsByKeys>
      <div className="columns-1 gap-8 rail:columns-2">
        {scopes.map(({ scope, title }) => (
          <section key={scope} className="mb-6 break-inside-avoid">
            <h3 className="title-3 mb-1">{title}</h3>
            <dl>
              {commandIds
                .filter((id) => keyboardCatalogue[id].scope === scope)
                .map((id) => (
                  <HelpRow key={id} action={keyboardCatalogue[id].action} id={id} />
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function HelpRow({ action, id }: { readonly action: string; readonly id: (typeof commandIds)[number] }) {
  const { keysOf, platform } = useKeyboard();
  const keys = keysOf(id);
  return (
    <div className="flex items-center justify-between gap-4 border-b border-line py-1.5">
      <dt>{action}</dt>
      <dd className="flex shrink-0 items-center gap-1 text-small text-ink-3">
        {keys.length === 0 ? 'off' : null}
        {keys.map((chord, index) => (
          <span key={chord} className="inline-flex items-center gap-1">
            {index > 0 ? <span>or</span> : null}
            {capsOf(chord, platform).map((cap) => (
              <kbd key={cap} className="keycap">
                {cap}
              </kbd>
            ))}
          </span>
        ))}
      </dd>
    </div>
  );
}
