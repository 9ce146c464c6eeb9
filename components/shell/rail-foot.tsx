'use client';

import { Blocks, Bot, Settings } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { classNames } from '../ui/class-names';
import { useShell } from './shell-context';

/** The ways out of the conversations: agents, skills, settings. */
export function RailFoot() {
  const pathname = usePathname();
  const { closeDrawer } = useShell();
  const at = (path: string) => (pathname.startsWith(path) ? 'page' : undefined);
  const word =
    'button px-2! font-[450]! text-ink-2 hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:text-ink';
  return (
    <div className="flex h-(--rail-foot) shrink-0 items-center gap-1 border-t border-line px-2.5 pb-[env(safe-area-inset-bottom)] pointer-coarse:h-14">
      <Link href="/agents" className={word} aria-current={at('/agents')} onClick={closeDrawer}>
        <Bot aria-hidden size={16} strokeWidth={1.75} />
        Agents
      </Link>
      <Link href="/skills" className={word} aria-current={at('/skills')} onClick={closeDrawer}>
        <Blocks aria-hidden size={16} strokeWidth={1.75} />
        Skills
      </Link>
      <Link
        href="/settings"
        aria-label="Settings"
        title="Settings"
        aria-current={at('/settings')}
        className={classNames('icon-button ml-auto', at('/settings') && 'bg-raised text-ink')}
        onClick={closeDrawer}
      >
        <Settings aria-hidden size={16} strokeWidth={1.75} />
      </Link>
    </div>
  );
}
