import { alertKinds, ruleLevels, type AlertRule } from '../../../contract/alerts/alert-rule.ts'

/** Returns, for each kind, the rule that applies to the project, then the rules of single exports by name. */
export function shownRules(rules: readonly AlertRule[]): AlertRule[] {
  return alertKinds.flatMap((kind) => {
    const ofKind = rules.filter((rule) => rule.kind === kind)
    const ofExports = ofKind
      .filter(({ level }) => level === 'export')
      .sort((one, other) => nameOf(one).localeCompare(nameOf(other)))
    const applying = ofKind
      .filter(({ level }) => level !== 'export')
      .reduce<AlertRule | null>((last, rule) => (last && rank(last) > rank(rule) ? last : rule), null)
    return applying ? [applying, ...ofExports] : ofExports
  })
}

function rank({ level }: AlertRule): number {
  return ruleLevels.indexOf(level)
}

function nameOf({ batch_export }: AlertRule): string {
  return batch_export?.name ?? ''
}
