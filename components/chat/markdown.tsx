'use client';

import { ImageOff, Square, SquareCheck } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import remend from 'remend';
import { CodeBlock } from './code-block';
import { readOpenFence, splitMarkdown } from './split-markdown';

const safeSchemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** Only what a person can judge by its address: everything else loses its link and keeps its words (case-E02). */
export function safeUrl(url: string): string {
  try {
    return safeSchemes.has(new URL(url).protocol) ? url : '';
  } catch {
    return '';
  }
}

function hostOf(url: string): string {
  try {
    return new URL(url).host || 'embedded data';
  } catch {
    return 'no address';
  }
}

/** A picture of a model's choosing would tell a foreign host who reads what, and when: it is named, never fetched. */
function ImageNote({ src, alt }: { readonly src: string; readonly alt: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 rounded-tag bg-code-wash px-1.5 text-ui text-ink-2">
      <ImageOff aria-hidden size={14} strokeWidth={1.75} />
      {alt === '' ? 'Image' : alt} from {hostOf(src)}, not loaded
    </span>
  );
}

type FenceProps = { readonly className?: string; readonly children?: ReactNode };

function textOf(node: ReactNode): string {
  if (typeof node === 'string') return node;
  return Array.isArray(node) ? node.map(textOf).join('') : '';
}

function fenceOf(children: ReactNode): { language: string; code: string } | null {
  const child = Array.isArray(children) ? children[0] : children;
  if (typeof child !== 'object' || child === null || !('props' in child)) return null;
  const props: FenceProps = child.props ?? {};
  const language = /language-(\S+)/.exec(props.className ?? '')?.[1] ?? '';
  return { language, code: textOf(props.children).replace(/\n$/, '') };
}

/** A box of a task list, with its word: nothing here can be ticked. */
function TaskMark({ done }: { readonly done: boolean }) {
  const Icon = done ? SquareCheck : Square;
  return (
    <>
      <Icon aria-hidden size={16} strokeWidth={1.75} className="mr-1.5 inline align-[-0.15em] text-ink-2" />
      <span className="sr-only">{done ? 'Done: ' : 'To do: '}</span>
    </>
  );
}

/** Headings start at h4: the outline of the page stays ours. */
const components: Components = {
  h1: ({ children }) => <h4>{children}</h4>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  h6: ({ children }) => <h6>{children}</h6>,
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noreferrer noopener">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) => <ImageNote src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  pre: ({ children }) => {
    const fence = fenceOf(children);
    return fence ? <CodeBlock language={fence.language} code={fence.code} closed /> : <pre>{children}</pre>;
  },
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by keyboard too.
    <section className="table-frame" tabIndex={0} aria-label="Table">
      <table>{children}</table>
    </section>
  ),
  // Alignment of a cell would come as a style attribute, which the page's policy refuses.
  th: ({ children, style }) => <th data-align={style?.textAlign}>{children}</th>,
  td: ({ children, style }) => <td data-align={style?.textAlign}>{children}</td>,
  input: ({ checked }) => <TaskMark done={checked === true} />,
};

/** Images keep their address through the filter, to name its host; nothing is ever loaded from it. */
function filterUrl(url: string, key: string): string {
  return key === 'src' ? url : safeUrl(url);
}

const Block = memo(function Block({ text, live }: { readonly text: string; readonly live: boolean }) {
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} components={components} urlTransform={filterUrl}>
      {live ? remend(text) : text}
    </ReactMarkdown>
  );
});

/** While its fence is open, code is plain text; it is coloured once, when the fence closes. */
function OpenFence({ text }: { readonly text: string }) {
  const fence = readOpenFence(text);
  if (fence === null) return <Block text={text} live />;
  return (
    <>
      {fence.before.trim() === '' ? null : <Block text={fence.before} live={false} />}
      <CodeBlock language={fence.language} code={fence.code} closed={false} />
    </>
  );
}

export type MarkdownProps = { readonly text: string; readonly live?: boolean };

/** A text of a model. Its HTML is shown as text, its images are named, its links are http, https or mail. */
export const Markdown = memo(function Markdown({ text, live = false }: MarkdownProps) {
  const blocks = splitMarkdown(text);
  return (
    <>
      {blocks.map((block, index) =>
        block.openFence ? (
          <OpenFence key={block.key} text={block.text} />
        ) : (
          <Block key={block.key} text={block.text} live={live && index === blocks.length - 1} />
        ),
      )}
    </>
  );
});
