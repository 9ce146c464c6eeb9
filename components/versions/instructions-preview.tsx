'use client';

import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

/** Headings begin at h4, so the page's outline stays its own; images are named, never fetched. */
const components: Components = {
  h1: ({ children }) => <h4 className="title-2 mt-4 mb-1 first:mt-0">{children}</h4>,
  h2: ({ children }) => <h4 className="title-card mt-4 mb-1 first:mt-0">{children}</h4>,
  h3: ({ children }) => <h5 className="title-3 mt-3 mb-1">{children}</h5>,
  p: ({ children }) => <p className="my-2 first:mt-0">{children}</p>,
  ul: ({ children }) => <ul className="my-2 list-disc pl-5">{children}</ul>,
  ol: ({ children }) => <ol className="my-2 list-decimal pl-5">{children}</ol>,
  code: ({ children }) => <code className="rounded-tag bg-code-wash px-1 text-mono">{children}</code>,
  pre: ({ children }) => (
    <pre className="my-2 overflow-x-auto rounded-control border border-line bg-sunken p-3.5 [&_code]:bg-transparent [&_code]:p-0">
      {children}
    </pre>
  ),
  a: ({ children, href }) => (
    <a href={href} rel="noreferrer" target="_blank" className="text-accent underline underline-offset-2">
      {children}
    </a>
  ),
  img: ({ alt }) => <span className="text-ink-3">[image: {alt}]</span>,
};

export function InstructionsPreview({ text }: { readonly text: string }) {
  return (
    <div className="max-w-(--prose) text-[1rem] leading-[1.625rem] font-[400]">
      <Markdown remarkPlugins={[remarkGfm]} components={components}>
        {text}
      </Markdown>
    </div>
  );
}
