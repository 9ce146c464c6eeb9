'use client';

import { usePathname, useRouter } from 'next/navigation';
import { useShell } from '../shell/shell-context';
import { Dialog } from '../ui/dialog';
import type { SettingsSection } from './settings-sections';
import { SettingsView } from './settings-view';

/** The settings over the page they were opened from, with their own address; closing goes back to that page. */
export function SettingsOverlay({ section }: { readonly section: SettingsSection | null }) {
  const router = useRouter();
  const pathname = usePathname();
  const { pageUnder } = useShell();
  return (
    <Dialog
      open={pathname.startsWith('/settings')}
      onClose={() => router.push(pageUnder(), { scroll: false })}
      title="Settings"
      width="settings"
      bodyClassName="flex"
    >
      <SettingsView section={section} replace />
    </Dialog>
  );
}
