/** Nothing lies over the start. */
export default function NoOverlay() {
  return null;
}
