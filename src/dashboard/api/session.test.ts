import { expect, test } from 'vitest'
import { secretInFragment } from './session.ts'

test('reads a key or a link from the fragment of a sign-in URL', () => {
  expect(secretInFragment('#key=phx_abc')).toEqual({ key: 'phx_abc' })
  expect(secretInFragment('#link=a_b-c')).toEqual({ link: 'a_b-c' })
  for (const fragment of ['#section', '#key=', '']) expect(secretInFragment(fragment)).toBeNull()
})
