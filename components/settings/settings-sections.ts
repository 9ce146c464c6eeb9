import {
  Contrast,
  FoldVertical,
  HardDrive,
  Info,
  Keyboard,
  KeyRound,
  type LucideIcon,
  Pin,
  SlidersHorizontal,
} from 'lucide-react';

export type SettingsSection =
  | 'general'
  | 'appearance'
  | 'models'
  | 'compaction'
  | 'carry-over'
  | 'keyboard'
  | 'data'
  | 'about';

export const settingsSections: readonly {
  readonly section: SettingsSection;
  readonly title: string;
  readonly icon: LucideIcon;
}[] = [
  { section: 'general', title: 'General', icon: SlidersHorizontal },
  { section: 'appearance', title: 'Appearance', icon: Contrast },
  { section: 'models', title: 'Models and keys', icon: KeyRound },
  { section: 'compaction', title: 'Compaction', icon: FoldVertical },
  { section: 'carry-over', title: 'Carry-over', icon: Pin },
  { section: 'keyboard', title: 'Keyboard', icon: Keyboard },
  { section: 'data', title: 'Data', icon: HardDrive },
  { section: 'about', title: 'About', icon: Info },
];

/** The section an address names; null for an address of none. */
export function toSettingsSection(text: string): SettingsSection | null {
  return settingsSections.find(({ section }) => section === text)?.section ?? null;
}
