'use client';

import { PageFrame } from '../shell/main-header';
import type { SettingsSection } from './settings-sections';
import { SettingsView } from './settings-view';

/** The settings as a page of their own, where their address is opened directly. */
export function SettingsPage({ section }: { readonly section: SettingsSection | null }) {
  return (
    <PageFrame title="Settings">
      <SettingsView section={section} />
    </PageFrame>
  );
}
