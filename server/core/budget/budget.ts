/** Bytes of the whole request where nobody chose a budget and the window does not forbid it (B1). */
export const UNSET_BUDGET_BYTES = 400_000;
/** The rule of two bytes a token of the window: the rest of it is for the reply and for what arrives in mid-turn. */
export const BYTES_A_WINDOW_TOKEN = 2;
/** A floor above this part of the budget is not compacted against: nothing would get smaller (B2). */
export const FLOOR_LIMIT_RATIO = 0.85;

/** A model of the chain: its window in tokens (null: unknown) and the budget chosen for it in bytes (null: none). */
export interface ChainModel {
  readonly windowTokens: number | null;
  readonly chosenBytes: number | null;
}

export interface ChosenBudgets {
  readonly model: number | null;
  readonly session: number | null;
  readonly agent: number | null;
  readonly installation: number | null;
}

export interface Budget {
  readonly bytes: number;
  /** Index in the chain of the model that set it. */
  readonly setBy: number;
  /** `assumed`: that model's window is unknown, so the number is the rule's and may be wrong. */
  readonly basis: 'chosen' | 'rule' | 'assumed';
  /** Indices of models whose chosen budget is larger than two bytes a token, and was passed over. */
  readonly passedOver: readonly number[];
}

/** The cascade of B1: the model's own budget, else the session's, the agent's, the installation's. */
export function chooseBudget(chosen: ChosenBudgets): number | null {
  return chosen.model ?? chosen.session ?? chosen.agent ?? chosen.installation;
}

/**
 * The budget of a chain, in bytes: the smallest of its models' (B1). A window that is not a positive number is
 * unknown (case-A12). An empty chain has the unset budget, assumed.
 */
export function planBudget(chain: readonly ChainModel[]): Budget {
  const each = chain.map(budgetOfModel);
  const passedOver = each.flatMap((budget, index) => (budget.passedOver ? [index] : []));
  let setBy = 0;
  each.forEach((budget, index) => {
    if (budget.bytes < (each[setBy]?.bytes ?? Number.POSITIVE_INFINITY)) setBy = index;
  });
  const smallest = each[setBy];
  if (smallest === undefined) return { bytes: UNSET_BUDGET_BYTES, setBy: 0, basis: 'assumed', passedOver };
  return { bytes: smallest.bytes, setBy, basis: smallest.basis, passedOver };
}

interface ModelBudget {
  readonly bytes: number;
  readonly basis: Budget['basis'];
  readonly passedOver: boolean;
}

function budgetOfModel({ windowTokens, chosenBytes }: ChainModel): ModelBudget {
  const window = toKnownWindow(windowTokens);
  if (window === null) {
    if (chosenBytes !== null) return { bytes: chosenBytes, basis: 'chosen', passedOver: false };
    return { bytes: UNSET_BUDGET_BYTES, basis: 'assumed', passedOver: false };
  }
  const most = BYTES_A_WINDOW_TOKEN * window;
  if (chosenBytes !== null && chosenBytes <= most) return { bytes: chosenBytes, basis: 'chosen', passedOver: false };
  return { bytes: Math.min(UNSET_BUDGET_BYTES, most), basis: 'rule', passedOver: chosenBytes !== null };
}

/** Tokens, or null where the number says nothing. */
export function toKnownWindow(windowTokens: number | null): number | null {
  if (windowTokens === null || !Number.isFinite(windowTokens) || windowTokens < 1) return null;
  return Math.floor(windowTokens);
}
