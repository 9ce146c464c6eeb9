import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SendOutcome } from '../sync/actions';
import { Composer, type ComposerProps } from './composer';
import type { SlashCommand } from './slash-commands';

function make(change: Partial<ComposerProps> = {}) {
  const compact = vi.fn();
  const commands: SlashCommand[] = [
    {
      name: 'compact',
      group: 'Conversation',
      argument: 'keep…',
      needsArgument: false,
      description: 'Fold the conversation',
      reason: null,
      run: compact,
    },
    {
      name: 'context',
      group: 'Context',
      argument: '',
      needsArgument: false,
      description: 'What the model reads',
      reason: null,
      run: () => undefined,
    },
  ];
  const onSend = vi.fn(
    async (_: string, clientMessageId: string): Promise<SendOutcome> => ({ ok: true, clientMessageId }),
  );
  const onStop = vi.fn();
  const view = render(
    <Composer
      draftKey="one"
      server={null}
      placeholder="Message"
      commands={commands}
      busy={null}
      reason={null}
      onSend={onSend}
      onStop={onStop}
      {...change}
    />,
  );
  return { compact, onSend, onStop, field: screen.getByLabelText('Message'), user: userEvent.setup(), view };
}

beforeEach(() => localStorage.clear());

describe('the slash menu of the composer', () => {
  it('case-E04: "/comp" and Enter runs the command and never sends text', async () => {
    const { field, user, onSend, compact } = make();
    await user.type(field, '/comp{Enter}');
    expect(compact).toHaveBeenCalledExactlyOnceWith('');
    expect(onSend).not.toHaveBeenCalled();
    expect(field).toHaveValue('');
  });

  it('case-E04: "/compact keep the API names" passes its words', async () => {
    const { field, user, compact } = make();
    await user.type(field, ' /compact keep the API names{Enter}');
    expect(compact).toHaveBeenCalledExactlyOnceWith('keep the API names');
  });

  it('contract 14: words for a compaction that another one is in the way of stay, with the reason', async () => {
    const run = vi.fn();
    const refuse = (argument: string) => (argument === '' ? null : 'a compaction runs already');
    const command = { name: 'compact', group: 'Conversation', description: '', argument: 'keep…' } as const;
    const commands = [{ ...command, needsArgument: false, reason: null, refuse, run }];
    const { field, user, onSend } = make({ commands });
    await user.type(field, '/compact keep: the names{Enter}');
    expect(field).toHaveValue('/compact keep: the names');
    expect(screen.getByText(/a compaction runs already/)).toBeVisible();
    expect([run.mock.calls, onSend.mock.calls]).toEqual([[], []]);
  });

  it('case-E04: no such command is said, the text stays; the next Enter sends it', async () => {
    const { field, user, onSend } = make();
    await user.type(field, '/zzz{Enter}');
    expect(screen.getByText('No such command. Enter sends it as text.')).toBeVisible();
    expect(field).toHaveValue('/zzz');
    expect(onSend).not.toHaveBeenCalled();
    await user.type(field, '{Enter}');
    expect(onSend).toHaveBeenCalledWith('/zzz', expect.any(String));
  });

  it('case-E04: a path in a sentence is sent as it is', async () => {
    const { field, user, onSend } = make();
    await user.type(field, 'send it to /ops-team now{Enter}');
    expect(onSend).toHaveBeenCalledWith('send it to /ops-team now', expect.any(String));
  });

  it('case-E04: Tab completes, Escape closes the menu alone and keeps the text', async () => {
    const { field, user, onStop } = make({ busy: 'replying' });
    await user.type(field, '/con{Tab}');
    expect(field).toHaveValue('/context ');
    await user.clear(field);
    await user.type(field, '/co{ArrowDown}{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(field).toHaveValue('/co');
    expect(onStop).not.toHaveBeenCalled();
  });

  it('case-E04: Down moves to the next row, and the text field names it', async () => {
    const { field, user } = make();
    await user.type(field, '/co');
    const [first, second] = screen.getAllByRole('option');
    expect(field).toHaveAttribute('aria-activedescendant', first?.id);
    await user.type(field, '{ArrowDown}');
    expect(field).toHaveAttribute('aria-activedescendant', second?.id);
    expect(second).toHaveAttribute('aria-selected', 'true');
    expect(field).toHaveFocus();
  });
});

describe('sending', () => {
  it('ux-17.16: Enter during composition neither sends nor runs a command', async () => {
    const { field, user, onSend, compact } = make();
    await user.type(field, '/compact');
    const press = createEvent.keyDown(field, { key: 'Enter', isComposing: true });
    fireEvent(field, press);
    expect(compact).not.toHaveBeenCalled();
    await user.clear(field);
    await user.type(field, 'にほん');
    fireEvent(field, createEvent.keyDown(field, { key: 'Enter', isComposing: true }));
    fireEvent(field, createEvent.keyDown(field, { key: 'Enter', keyCode: 229 }));
    expect(onSend).not.toHaveBeenCalled();
    expect(field).toHaveValue('にほん');
  });

  it('Shift+Enter breaks the line, Enter sends it all', async () => {
    const { field, user, onSend } = make();
    await user.type(field, 'one{Shift>}{Enter}{/Shift}two{Enter}');
    expect(onSend).toHaveBeenCalledWith('one\ntwo', expect.any(String));
  });

  it('while something runs Send is Queue, and Escape twice stops', async () => {
    const { field, user, onStop } = make({ busy: 'replying' });
    expect(screen.getByRole('button', { name: 'Queue: Write something first' })).toBeVisible();
    await user.type(field, '{Escape}');
    expect(onStop).not.toHaveBeenCalled();
    await user.type(field, '{Escape}');
    expect(onStop).toHaveBeenCalledOnce();
  });

  it('Send that would do nothing says why in its name', () => {
    make({ reason: 'Choose a model first' });
    expect(screen.getByRole('button', { name: 'Send: Write something first' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
  });

  it('Up in an empty field takes the last words back, Down leaves them', async () => {
    const { field, user } = make({ lastSent: () => 'the last words' });
    await user.type(field, '{ArrowUp}');
    expect(field).toHaveValue('the last words');
    await user.type(field, '{ArrowDown}');
    expect(field).toHaveValue('');
  });

  it('ux-10: "//" sends a slash', async () => {
    const { field, user, onSend } = make();
    await user.type(field, '//compact is a command{Enter}');
    expect(onSend).toHaveBeenCalledWith('/compact is a command', expect.any(String));
  });
});

describe('words that were not sent', () => {
  const refuse = (clientMessageId: string): SendOutcome => ({
    ok: false,
    message: 'The disk is full.',
    clientMessageId,
  });

  it('case-E05: refused words stand in the field again, with the reason', async () => {
    const { field, user } = make({ onSend: async (_, id) => refuse(id) });
    await user.type(field, 'important{Enter}');
    expect(await screen.findByText(/The disk is full/)).toBeVisible();
    expect(field).toHaveValue('important');
  });

  it('case-E05: newer words are never overwritten; the old ones are offered', async () => {
    let answer: (outcome: SendOutcome) => void = () => undefined;
    let sentId = '';
    const onSend = (_: string, id: string) => {
      sentId = id;
      return new Promise<SendOutcome>((resolve) => {
        answer = resolve;
      });
    };
    const { field, user } = make({ onSend });
    await user.type(field, 'first{Enter}');
    expect(field).toHaveValue('');
    await user.type(field, 'second');
    answer(refuse(sentId));
    await user.click(await screen.findByRole('button', { name: 'Put it back' }));
    expect(field).toHaveValue('first\n\nsecond');
  });

  it('case-E05: the draft is there again after a reload and in its own conversation only', async () => {
    const { field, user, view } = make();
    await user.type(field, 'half a thought');
    view.unmount();
    const other = make({ draftKey: 'two' });
    expect(other.field).toHaveValue('');
    other.view.unmount();
    expect(make().field).toHaveValue('half a thought');
  });

  it('case-E05: words on their way when the page goes come back', async () => {
    const { field, user, view } = make({ onSend: () => new Promise<SendOutcome>(() => undefined) });
    await user.type(field, 'on its way{Enter}');
    expect(field).toHaveValue('');
    view.unmount();
    make();
    expect(screen.getByLabelText('Message')).toHaveValue('on its way');
  });
});
