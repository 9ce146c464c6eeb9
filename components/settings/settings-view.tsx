'use client';

import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import { AboutSection } from './about-section';
import { AppearanceSection } from './appearance-section';
import { CarryOverSection } from './carry-over-section';
import { CompactionSection } from './compaction-section';
import { DataSection } from './data-section';
import { GeneralSection } from './general-section';
import { KeyboardSection } from './keyboard-section';
import { ModelsSection } from './models-section';
import { type SettingsSection, settingsSections } from './settings-sections';

const bodies: Readonly<Record<SettingsSection, () => React.ReactNode>> = {
  general: GeneralSection,
  appearance: AppearanceSection,
  models: ModelsSection,
  compaction: CompactionSection,
  'carry-over': CarryOverSection,
  keyboard: KeyboardSection,
  data: DataSection,
  about: AboutSection,
};

export type SettingsViewProps = {
  /** Null on the page that lists the sections: a list on phones, the first section elsewhere. */
  readonly section: SettingsSection | null;
  /** In the overlay each step replaces the address, so one Back leaves the settings. */
  readonly replace?: boolean;
};

/** The list of sections and the one that is open. */
export function SettingsView({ section, replace = false }: SettingsViewProps) {
  const shown = section ?? 'general';
  const Body = bodies[shown];
  const title = settingsSections.find((entry) => entry.section === shown)?.title;
  return (
    <div className="flex h-full min-h-0 flex-1">
      <nav
        aria-label="Settings"
        className={`w-57 shrink-0 overflow-y-auto border-r border-line bg-sunken p-2.5 ${section === null ? 'max-rail:w-full max-rail:border-r-0' : 'max-rail:hidden'}`}
      >
        <ul className="flex flex-col gap-0.5">
          {settingsSections.map(({ section: other, title: word, icon: Icon }) => (
            <li key={other}>
              <Link
                href={`/settings/${other}`}
                replace={replace}
                scroll={false}
                aria-current={other === shown ? 'page' : undefined}
                className="flex min-h-8.5 items-center gap-2.5 rounded-control border border-transparent px-2.5 text-ink-2 hover:text-ink aria-[current=page]:border-line aria-[current=page]:bg-raised aria-[current=page]:font-[650] aria-[current=page]:text-ink pointer-coarse:min-h-11"
              >
                <Icon
                  aria-hidden
                  size={16}
                  strokeWidth={1.75}
                  className={other === 'compaction' ? 'text-heather' : undefined}
                />
                {word}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div
        className={`min-w-0 flex-1 overflow-y-auto px-8 py-6 max-rail:px-4 ${section === null ? 'max-rail:hidden' : ''}`}
      >
        <div className="max-w-[44rem]">
          {section === null ? null : (
            <Link
              href="/settings"
              replace={replace}
              scroll={false}
              className="mb-2 inline-flex min-h-9 items-center gap-1.5 text-accent rail:hidden"
            >
              <ArrowLeft aria-hidden size={14} />
              All settings
            </Link>
          )}
          <h2 className="title-dialog mb-3">{title}</h2>
          <Body />
        </div>
      </div>
    </div>
  );
}
