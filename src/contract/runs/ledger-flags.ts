/**
 * Reasons to inspect a window. `short`: fewer rows were read back than written; `changed`, `gone`: an object at the destination
 * differs or is missing; `source`: the source no longer has the rows that the run took; `late`: rows arrived after the run;
 * `erased`: the destination may still hold a person who was erased since;
 * `zero`: no rows, although this hour of the week usually has some; `unusual`: far more or fewer rows than usual.
 */
export const ledgerFlags = [
  'short',
  'changed',
  'gone',
  'source',
  'late',
  'erased',
  'zero',
  'unusual',
] as const
export type LedgerFlag = (typeof ledgerFlags)[number]
