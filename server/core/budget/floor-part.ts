/** A part of `bytes`, floored to whole bytes. The tiny addend keeps 0.85 × 100 from becoming 84. */
export function floorPart(bytes: number, ratio: number): number {
  return Math.floor(bytes * ratio + 1e-9);
}
