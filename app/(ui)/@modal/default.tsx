/** Nothing lies over a page that was opened by its address. */
export default function NoOverlay() {
  return null;
}
