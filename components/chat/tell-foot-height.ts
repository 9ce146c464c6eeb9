/**
 * As a ref of the foot of a conversation: keeps `--foot-height` at its height, so that what floats over the page stands above
 * it, a banner in the slot included.
 */
export function tellFootHeight(foot: HTMLElement | null): (() => void) | undefined {
  if (!foot) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--foot-height', `${foot.offsetHeight}px`));
  observer.observe(foot);
  return () => {
    observer.disconnect();
    style.removeProperty('--foot-height');
  };
}
