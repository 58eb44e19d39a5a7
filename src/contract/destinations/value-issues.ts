import { textsOf, type DestinationConfig, type DestinationKind, type ValueIssue } from './destination-kind.ts'
import { destinationKinds } from './destination-kinds.ts'
import type { DestinationType } from './destination.ts'

/** Returns the issues of a destination's values; missing values and those of the wrong type have none. */
export function valueIssues(type: DestinationType, config: DestinationConfig): ValueIssue[] {
  return issuesOfValues(destinationKinds[type], config)
}

/** The limits and rules of a destination's or connection's values. */
export type ValueRules = Pick<DestinationKind, 'lengthsMax' | 'rules'>

export function issuesOfValues({ lengthsMax, rules }: ValueRules, config: DestinationConfig): ValueIssue[] {
  const text = textsOf(config)
  const tooLong = Object.entries(lengthsMax).filter(([field, lengthMax]) => text(field).length > lengthMax)
  if (tooLong.length > 0)
    return tooLong.map(([field, lengthMax]) => ({
      field,
      severity: 'error',
      message: `Enter at most ${lengthMax.toLocaleString('en')} characters.`,
    }))
  return rules(config, text).flatMap(([field, severity, message]) =>
    message === null || text(field) === '' ? [] : [{ field, severity, message }],
  )
}
