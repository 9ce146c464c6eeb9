import { SettingsOverlay } from '@/components/settings/settings-overlay';

export default function SettingsOver() {
  return <SettingsOverlay section={null} />;
}
