import { expect, test } from 'vitest'
import { namedText, withIds } from '../../../contract/recordings/mention-text.ts'
import { membersMatching, mentionQueryAt } from './mention-query.ts'

const ids = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'] as const
const ada = { id: ids[0], name: 'Ada', email: 'ada@people.example' }
const byron = { id: ids[1], name: 'Ada Byron', email: 'byron@people.example' }

test('an @ that begins a word asks for members, with what follows up to the caret', () => {
  expect(mentionQueryAt('See @ad', 7)).toEqual({ at: 4, text: 'ad' })
  expect(mentionQueryAt('(@Ada By later', 8)).toEqual({ at: 1, text: 'Ada By' })
  for (const text of ['ada@shop', 'See @ you', 'See @Ada\nNext', 'None', `@${'a'.repeat(51)}`])
    expect(mentionQueryAt(text, text.length), text).toBeNull()
})

test('members are found by name and address, those whose name begins so first', () => {
  const names = (text: string) => membersMatching([byron, ada], { at: 0, text }).map(({ name }) => name)
  expect(names('ada')).toEqual(['Ada Byron', 'Ada'])
  expect(names('by')).toEqual(['Ada Byron'])
  expect(names('b')).toEqual(['Ada Byron'])
  expect(names('people')).toHaveLength(2)
  expect(names('nobody')).toEqual([])
})

test('whole names become ids, the longest first, and are shown as the names of now', () => {
  const text = '@Ada Byron and @Ada, not @Adalyn, ada@Ada.example or @'
  const stored = withIds(text.replace('ada@Ada', 'ada@x'), [ada, byron])
  expect(stored).toBe(`@[${byron.id}] and @[${ada.id}], not @Adalyn, ada@x.example or @`)
  const shown = namedText(stored, [{ ...ada, name: 'Ada King' }])
  expect(shown).toBe('@someone and @Ada King, not @Adalyn, ada@x.example or @')
})
