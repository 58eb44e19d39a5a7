import { expect, test } from 'vitest'
import { defaultRule, type AlertRule } from '../../../contract/alerts/alert-rule.ts'
import { shownRules } from './shown-rules.ts'

const base = { ...defaultRule, by: null, created_at: null, last_updated_at: null, batch_export: null }

function rule(id: string | null, level: AlertRule['level'], values: Partial<AlertRule> = {}): AlertRule {
  return { ...base, id, kind: 'late', level, ...values }
}

test('of each kind, the rule of the highest level that covers the project is shown, then those of exports by name', () => {
  const shown = shownRules([
    rule('b', 'export', { batch_export: { id: '2', name: 'Returns' } }),
    rule(null, 'default', { kind: 'failed' }),
    rule(null, 'default'),
    rule('p', 'project'),
    rule('o', 'organization'),
    rule('a', 'export', { batch_export: { id: '1', name: 'Orders' } }),
  ])
  expect(shown.map(({ id, kind }) => `${kind} ${id}`)).toEqual(['failed null', 'late p', 'late a', 'late b'])
})
