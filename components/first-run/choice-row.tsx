import type { LucideIcon } from 'lucide-react';
import { createContext, type ReactNode, useContext } from 'react';

export type ChoiceRowProps = {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text: ReactNode;
  readonly action?: ReactNode;
  readonly problem?: string | null;
  /** What came of it, when it went well. */
  readonly done?: string | null;
  readonly children?: ReactNode;
};

/** The level of the rows' headings: right under the page's own, or deeper where a list of them has a heading itself. */
export const ChoiceLevel = createContext<'h2' | 'h4'>('h2');

/** One way to begin: icon, words, and what to do, which goes below the words on a phone. */
export function ChoiceRow({ icon: Icon, title, text, action, problem, done, children }: ChoiceRowProps) {
  const Heading = useContext(ChoiceLevel);
  return (
    <li className="flex gap-3.5 px-4 py-4 rail:pl-[1.125rem]">
      <Icon aria-hidden size={20} strokeWidth={1.5} className="mt-px shrink-0 text-ink-2" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-col gap-3 rail:flex-row rail:items-center">
          <div className="min-w-0 flex-1">
            <Heading className="title-3">{title}</Heading>
            <p className="max-w-[27rem] text-[0.8125rem] text-ink-2">{text}</p>
          </div>
          {action ? <div className="shrink-0">{action}</div> : null}
        </div>
        {children}
        {done ? <p className="mt-2 text-ok">{done}</p> : null}
        {problem ? (
          <p role="alert" className="mt-2 text-danger">
            {problem}
          </p>
        ) : null}
      </div>
    </li>
  );
}
