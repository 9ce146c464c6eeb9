'use client';

import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import type { VersionInfo } from '@/server/contract/versions';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { useCommand } from '../ui/keyboard-provider';
import { useSpeak } from '../ui/live-region';
import { ChangesDialog, sayVersion } from './changes-dialog';
import { DraftLine } from './draft-line';
import { PublishDialog } from './publish-dialog';
import type { DraftState } from './use-draft';
import { VersionsColumn } from './versions-column';

export type DocumentEditorProps<Content> = {
  readonly kind: 'agents' | 'skills';
  readonly id: string;
  readonly name: string;
  readonly current: number | null;
  readonly draftChanged: boolean;
  readonly versions: readonly (VersionInfo & { readonly content: Content })[];
  /** What publishing now would do to conversations. */
  readonly effect: string;
  readonly draft: {
    readonly state: DraftState;
    readonly flush: () => Promise<boolean>;
    readonly keepMine: () => Promise<unknown>;
    readonly takeTheirs: () => Promise<unknown>;
  };
  readonly onPublish: (note: string) => Promise<void>;
  /** Puts an old content into the draft; publishing it is the restore (P2). */
  readonly onRestore: (content: Content) => void;
  readonly renderContent: (content: Content) => ReactNode;
  readonly children: ReactNode;
};

type Opened =
  | { readonly open: 'none' }
  | { readonly open: 'publish'; readonly note: string }
  | { readonly open: 'version'; readonly version: number }
  | { readonly open: 'compare'; readonly from: number; readonly to: number | 'draft' };

/** The form of a draft, its publishing, and the column of what was published before. */
export function DocumentEditor<Content>(props: DocumentEditorProps<Content>) {
  const { kind, id, name, current, versions, draft, children } = props;
  const [opened, setOpened] = useState<Opened>({ open: 'none' });
  const speak = useSpeak();
  const close = () => setOpened({ open: 'none' });
  const next = (current ?? 0) + 1;
  const openPublish = () => setOpened({ open: 'publish', note: '' });
  useCommand('saveDraft', () => void draft.flush());
  useCommand('publish', openPublish);
  const viewed = opened.open === 'version' ? versions.find((info) => info.version === opened.version) : undefined;
  const publish = async (note: string) => {
    await props.onPublish(note);
    speak(`Version ${next} of ${name} is published`);
  };
  return (
    <div className="min-w-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-[64rem] gap-8 px-6 py-5 max-wide:flex-col max-rail:px-4">
        <div className="min-w-0 flex-1">
          <Link href={`/${kind}`} className="mb-2 inline-flex items-center gap-1.5 text-accent rail:hidden">
            <ArrowLeft aria-hidden size={14} />
            {kind === 'agents' ? 'All agents' : 'All skills'}
          </Link>
          <div className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2">
            <h1 className="title-1 min-w-0 break-words">{name}</h1>
            <DraftLine
              state={draft.state}
              onRetry={() => void draft.flush()}
              onKeepMine={() => void draft.keepMine()}
              onTakeTheirs={() => void draft.takeTheirs()}
            />
            <Button look="primary" className="ml-auto" onClick={openPublish}>
              Publish v{next}…
            </Button>
          </div>
          <div className="flex flex-col gap-5">{children}</div>
        </div>
        <div className="w-64 shrink-0 max-wide:w-full">
          <VersionsColumn
            versions={versions}
            draftChanged={props.draftChanged}
            onView={(version) => setOpened({ open: 'version', version })}
            onCompare={(from, to) => setOpened({ open: 'compare', from, to })}
          />
        </div>
      </div>
      <PublishDialog
        open={opened.open === 'publish'}
        version={next}
        name={name}
        effect={props.effect}
        initialNote={opened.open === 'publish' ? opened.note : ''}
        onPublish={publish}
        onClose={close}
      />
      {opened.open === 'compare' ? (
        <ChangesDialog
          open
          onClose={close}
          note={`${name}, ${sayVersion(opened.from)} to ${sayVersion(opened.to)}`}
          documents={[{ kind, id, name, from: opened.from, to: opened.to }]}
        />
      ) : null}
      <Dialog
        open={viewed !== undefined}
        onClose={close}
        title={`${name}, v${viewed?.version ?? ''}`}
        note={viewed?.note}
        width="wide"
        scrollsByKeys
        foot={
          viewed && !viewed.current ? (
            <Button
              onClick={() => {
                props.onRestore(viewed.content);
                setOpened({ open: 'publish', note: `Back to v${viewed.version}` });
              }}
            >
              Restore as v{next}…
            </Button>
          ) : null
        }
      >
        {viewed ? props.renderContent(viewed.content) : null}
      </Dialog>
    </div>
  );
}
