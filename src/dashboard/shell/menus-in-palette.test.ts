import { expect, test, vi } from 'vitest'
import { exportActions } from '../exports/list/actions.ts'
import { exportPageActions } from '../exports/page/page-actions.ts'
import { recordingActions } from '../recordings/list/actions.ts'
import { paletteLabelOf } from '../ui/list/list-action.ts'
import { keysOf, menuItemsOf, paletteActionsOf } from '../ui/page-actions.ts'

type Action = {
  label: string
  keys?: readonly string[]
  paletteLabel?: (what: string) => string
  perform: () => void
}

const lists: Record<string, readonly Omit<Action, 'perform'>[]> = {
  exports: Object.values(exportActions),
  recordings: Object.values(recordingActions),
}

// The palette lists one action of each key, so another action on that key needs an entry of its own.
test.each(Object.keys(lists))('the palette offers every action on %s, by its key or by name', (list) => {
  const actions: Action[] = (lists[list] ?? []).map((action) => ({ ...action, perform: () => undefined }))
  const ofKey = (key: string) => actions.find(({ keys }) => keys?.includes(key))
  const named = actions.flatMap((action) => paletteLabelOf(action, 'Lake') ?? [])
  const missing = actions.filter(
    (action) => paletteLabelOf(action, 'Lake') === null && !action.keys?.some((key) => ofKey(key) === action),
  )
  expect(missing.map(({ label }) => label)).toEqual([])
  expect(new Set(named).size).toBe(named.length)
})

function performed() {
  const run = () => vi.fn<() => void>()
  return {
    edit: run(),
    editLabels: run(),
    pause: run(),
    pauseUntil: run(),
    backfill: run(),
    repair: run(),
    clone: run(),
    showCurl: run(),
    delete: run(),
  }
}

test.each([false, true])('the palette offers every action of an export’s menu (paused: %s)', (paused) => {
  const all = performed()
  const actions = exportPageActions({ paused }, ['*'], all)
  for (const { onSelect } of menuItemsOf(actions)) onSelect()
  for (const action of Object.values(all)) expect(action).toHaveBeenCalledOnce()
  for (const { run } of paletteActionsOf('export', actions)) run()
  for (const binding of Object.values(keysOf(actions))) binding?.run()
  for (const action of Object.values(all)) expect(action).toHaveBeenCalledTimes(2)
})

test('an action has the same key on an export’s page as in the list', () => {
  const ofList: readonly Omit<Action, 'perform'>[] = Object.values(exportActions)
  const both = exportPageActions({ paused: false }, ['*'], performed()).flatMap(({ label, key }) =>
    ofList.filter((action) => action.label === label).map(({ keys }) => [label, key, keys?.[0]]),
  )
  expect(both.map(([label]) => label)).toContain('Clone')
  for (const [label, key, keyOfList] of both) expect([label, key]).toEqual([label, keyOfList])
})
