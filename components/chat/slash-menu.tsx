'use client';

import {
  Archive,
  Blocks,
  ChartNoAxesColumn,
  CircleHelp,
  Cpu,
  Download,
  FoldVertical,
  Keyboard,
  ListChecks,
  type LucideIcon,
  Pencil,
  SquarePen,
} from 'lucide-react';
import { Fragment } from 'react';
import type { Ranked } from '../ui/combobox-match';
import { KeyCaps } from '../ui/key-caps';
import { MatchedText } from '../ui/matched-text';
import type { Combobox } from '../ui/use-combobox';
import type { SlashCommand } from './slash-commands';

const icons: Readonly<Record<string, LucideIcon>> = {
  compact: FoldVertical,
  new: SquarePen,
  rename: Pencil,
  export: Download,
  archive: Archive,
  context: ChartNoAxesColumn,
  plan: ListChecks,
  model: Cpu,
  help: CircleHelp,
  keys: Keyboard,
};

export type SlashMenuProps = {
  /** Enter was pressed on words that name no command: once more sends them. */
  readonly warned: boolean;
  readonly rows: readonly Ranked<SlashCommand>[];
  readonly combobox: Combobox<SlashCommand>;
};

/** Above the composer and as wide; the focus stays in the text (ux 10). */
export function SlashMenu({ warned, rows, combobox }: SlashMenuProps) {
  if (rows.length === 0) {
    return (
      <div className="slash-menu opens">
        <p role="status" className="px-4 py-3 text-ink-2">
          {warned ? 'No such command. Enter sends it as text.' : 'No such command.'}
        </p>
      </div>
    );
  }
  return (
    <div className="slash-menu opens">
      {/* It scrolls, so it can be reached; it never is: Tab completes, and it stands behind the field in the page's order. */}
      <div
        {...combobox.listProps}
        role="listbox"
        aria-label="Commands"
        tabIndex={0}
        className="slash-list"
        onPointerDown={(event) => event.preventDefault()}
      >
        {rows.map(({ item, match }, index) => (
          <Fragment key={item.name}>
            {rows[index - 1]?.item.group === item.group ? null : (
              <p role="presentation" className="slash-group">
                {item.group}
              </p>
            )}
            <SlashRow command={item} bold={match.bold} optionProps={combobox.optionProps(item)} />
          </Fragment>
        ))}
      </div>
      <p aria-hidden className="slash-foot">
        <span>
          <KeyCaps chord="ArrowUp" /> <KeyCaps chord="ArrowDown" /> choose
        </span>
        <span>
          <KeyCaps chord="Enter" /> run
        </span>
        <span>
          <KeyCaps chord="Tab" /> complete
        </span>
        <span>
          <KeyCaps chord="Escape" /> close
        </span>
      </p>
    </div>
  );
}

type SlashRowProps = {
  readonly command: SlashCommand;
  readonly bold: Ranked<SlashCommand>['match']['bold'];
  readonly optionProps: ReturnType<Combobox<SlashCommand>['optionProps']>;
};

function SlashRow({ command, bold, optionProps }: SlashRowProps) {
  const Icon = icons[command.name] ?? Blocks;
  return (
    <div {...optionProps} className="slash-row">
      <Icon
        aria-hidden
        size={16}
        strokeWidth={1.75}
        className={command.name === 'compact' ? 'shrink-0 text-heather' : 'shrink-0 text-ink-2'}
      />
      <span className="slash-name">
        /<MatchedText text={command.name} bold={bold} />
        {command.argument === '' ? null : <span className="text-ink-3"> [{command.argument}]</span>}
      </span>
      <span className="slash-words">{command.description}</span>
      {command.reason === null ? null : <span className="text-small text-ink-3">{command.reason}</span>}
    </div>
  );
}
