/** The panels of the Desk, in the order of their tabs. */
export const deskTabs = [
  { id: 'plan', name: 'Plan' },
  { id: 'context', name: 'Context' },
  { id: 'ledger', name: 'Ledger' },
] as const;

export type DeskTab = (typeof deskTabs)[number]['id'];

/** The panel an address names (`?desk=`); null for an address of none. */
export function toDeskTab(text: string | null): DeskTab | null {
  return deskTabs.find(({ id }) => id === text)?.id ?? null;
}
