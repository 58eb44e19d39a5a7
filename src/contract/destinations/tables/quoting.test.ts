import { expect, test } from 'vitest'
import { destinationKinds } from '../destination-kinds.ts'
import { textsOf } from '../destination-kind.ts'

test('no name ends the body of the script that an administrator pastes', () => {
  const table = 'x$spool$;ALTER USER spool SUPERUSER;--'
  const granted = { database: 'd', schema: '$spool1$', table, user: 'u' }
  const script = destinationKinds.Postgres.grantScript?.(granted).join('\n') ?? ''
  const [, body] = script.split('$spool2$')
  expect(script.match(/\$spool2\$/g)).toHaveLength(2)
  expect(body).toContain(table)
})

test('no name ends its quotes in the query of a window', () => {
  const query = (type: 'ClickHouse' | 'MySQL' | 'Postgres', table_name: string) =>
    destinationKinds[type].windowQuery?.(textsOf({ database: 'd', table_name }), 'key')
  expect(query('ClickHouse', 'a\\`; DROP TABLE users; --')).toBe(
    "SELECT * FROM `d`.`a\\\\\\`; DROP TABLE users; --` WHERE `_spool_window` = 'key'",
  )
  expect(query('MySQL', 'a`b')).toBe("SELECT * FROM `d`.`a``b` WHERE `_spool_window` = 'key'")
  expect(query('Postgres', 'a"b')).toBe(`SELECT * FROM "public"."a""b" WHERE "_spool_window" = 'key'`)
})
