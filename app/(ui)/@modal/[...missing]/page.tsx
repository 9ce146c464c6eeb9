/** Going to any other page takes an overlay away; without this the router would keep it. */
export default function NoOverlay() {
  return null;
}
