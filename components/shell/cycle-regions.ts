/**
 * Regions are the elements with `data-region`, in page order: Sessions, Conversation, Composer, Desk. A region inside
 * another (the composer in main) is its own stop. `data-region-focus` inside a region says what takes the focus there.
 */
function visibleRegions(root: ParentNode): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) => region.closest('[hidden],[inert]') === null && region.dataset.regionHidden === undefined,
  );
}

/** What takes the focus in a region; one of a region inside it does not count. */
function focusOf(region: HTMLElement): HTMLElement {
  const marked = [...region.querySelectorAll<HTMLElement>('[data-region-focus]')];
  return marked.find((element) => element.closest('[data-region]') === region) ?? region;
}

/** Moves the focus to the next region, or the previous one; from outside of all, to the first or the last. */
export function focusNextRegion(step: 1 | -1, root: ParentNode = document): void {
  const regions = visibleRegions(root);
  const active = document.activeElement;
  // The innermost region that holds the focus: the last one in page order that contains it.
  const at = regions.findLastIndex((region) => region.contains(active));
  const from = at === -1 && step === -1 ? regions.length : at;
  const next = regions[(from + step + regions.length) % regions.length];
  if (next) focusOf(next).focus();
}
