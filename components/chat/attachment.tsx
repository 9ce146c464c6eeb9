import { File, ImageIcon } from 'lucide-react';
import { formatBytes } from '../ui/format-bytes';

export type AttachmentProps = {
  readonly name: string;
  readonly bytes: number;
  readonly url: string;
  readonly kind: 'image' | 'file';
};

/** Downloaded, never opened on our own origin: an SVG or a page could run there (case-E02). */
export function Attachment({ name, bytes, url, kind }: AttachmentProps) {
  const Icon = kind === 'image' ? ImageIcon : File;
  const own = url.startsWith('/v1/');
  const inside = (
    <>
      <Icon aria-hidden size={14} strokeWidth={1.75} className="shrink-0 text-ink-2" />
      <span className="min-w-0 truncate">{name}</span>
      <span className="numbers shrink-0 text-small text-ink-3">{formatBytes(bytes)}</span>
    </>
  );
  if (!own) return <p className="attachment">{inside}</p>;
  return (
    <a className="attachment" href={url} download={name}>
      {inside}
    </a>
  );
}
