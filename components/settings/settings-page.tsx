'use client';

import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import { PageFrame } from '../shell/main-header';
import type { SettingsSection } from './settings-sections';
import { SettingsView } from './settings-view';

/** The settings as a page of their own: on phones, and wherever an address is opened directly. */
export function SettingsPage({ section }: { readonly section: SettingsSection | null }) {
  const back = (
    <Link href="/settings" aria-label="All settings" className="icon-button rail:hidden">
      <ArrowLeft aria-hidden size={16} strokeWidth={1.75} />
    </Link>
  );
  return (
    <PageFrame title="Settings" actions={section === null ? null : back}>
      <SettingsView section={section} />
    </PageFrame>
  );
}
