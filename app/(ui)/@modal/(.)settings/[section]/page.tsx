import { SettingsOverlay } from '@/components/settings/settings-overlay';
import { toSettingsSection } from '@/components/settings/settings-sections';

type Props = { readonly params: Promise<{ readonly section: string }> };

export default async function SettingsSectionOver({ params }: Props) {
  return <SettingsOverlay section={toSettingsSection((await params).section)} />;
}
