/** US dollars for people: `$ 0.0042`, `$ 0.120`, `$ 12.40`; small sums keep the digits that tell them apart. */
export function formatCost(dollars: number): string {
  const digits = dollars < 0.01 ? 4 : dollars < 1 ? 3 : 2;
  return `$\u00a0${dollars.toFixed(digits)}`;
}
