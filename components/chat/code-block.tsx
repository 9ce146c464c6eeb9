'use client';

import { createContext, memo, useContext, useEffect, useState } from 'react';
import { CopyButton } from './copy-button';
import { type CodeToken, createHighlighter, type Highlighter } from './highlight';

const HighlighterContext = createContext<Highlighter | null>(null);

/** One highlighter for all code of the page below it. */
export function HighlighterProvider({ children }: { readonly children: React.ReactNode }) {
  const [highlighter] = useState(createHighlighter);
  return <HighlighterContext value={highlighter}>{children}</HighlighterContext>;
}

type Lines = readonly (readonly CodeToken[])[];

function useTokens(code: string, language: string, closed: boolean): Lines | null {
  const highlight = useContext(HighlighterContext);
  const [done, setDone] = useState<{ readonly code: string; readonly lines: Lines } | null>(null);
  useEffect(() => {
    if (!closed || language === '' || highlight === null) return;
    let gone = false;
    highlight(code, language).then(
      (lines) => {
        if (!gone && lines) setDone({ code, lines });
      },
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [code, language, closed, highlight]);
  return done?.code === code ? done.lines : null;
}

export type CodeBlockProps = {
  /** The word after the fence: a language, or a path. */
  readonly language: string;
  readonly code: string;
  readonly closed: boolean;
};

/** Tokens of one text never change, so their place in it names them. */
function Tokens({ lines }: { readonly lines: Lines }) {
  return lines.map((line, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a finished text have no other name and never move.
    <span key={row}>
      {line.map((token, column) =>
        token.kind === 'plain' ? (
          token.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <span key={column} data-token={token.kind}>
            {token.text}
          </span>
        ),
      )}
      {row < lines.length - 1 ? '\n' : null}
    </span>
  ));
}

/** Code as it is: Copy gives exactly its text, and the button is the same element from the first line to the last. */
export const CodeBlock = memo(function CodeBlock({ language, code, closed }: CodeBlockProps) {
  const lines = useTokens(code, language, closed);
  return (
    <figure className="code-block" data-open={closed ? undefined : ''}>
      <figcaption>
        <span>{language === '' ? 'text' : language}</span>
        <CopyButton text={() => code} label="Copy code" word="Copy" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll by keyboard too. */}
      <pre tabIndex={0}>
        <code>{lines ? <Tokens lines={lines} /> : code}</code>
      </pre>
    </figure>
  );
});
