import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { SettingsPage } from '@/components/settings/settings-page';
import { toSettingsSection } from '@/components/settings/settings-sections';

export const metadata: Metadata = { title: 'Settings' };

type Props = { readonly params: Promise<{ readonly section: string }> };

export default async function SettingsSectionPage({ params }: Props) {
  const section = toSettingsSection((await params).section);
  if (section === null) notFound();
  return <SettingsPage section={section} />;
}
