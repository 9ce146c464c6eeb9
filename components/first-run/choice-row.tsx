import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export type ChoiceRowProps = {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text: ReactNode;
  readonly action?: ReactNode;
  readonly problem?: string | null;
  readonly children?: ReactNode;
};

/** One way to begin: icon, words, and what to do, which goes below the words on a phone. */
export function ChoiceRow({ icon: Icon, title, text, action, problem, children }: ChoiceRowProps) {
  return (
    <li className="flex gap-3.5 px-4 py-4 rail:pl-[1.125rem]">
      <Icon aria-hidden size={20} strokeWidth={1.5} className="mt-px shrink-0 text-ink-2" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-col gap-3 rail:flex-row rail:items-center">
          <div className="min-w-0 flex-1">
            <h2 className="title-3">{title}</h2>
            <p className="max-w-[27rem] text-[0.8125rem] text-ink-2">{text}</p>
          </div>
          {action ? <div className="shrink-0">{action}</div> : null}
        </div>
        {children}
        {problem ? (
          <p role="alert" className="mt-2 text-danger">
            {problem}
          </p>
        ) : null}
      </div>
    </li>
  );
}
