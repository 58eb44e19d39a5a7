import { expect, test } from 'vitest'
import { destinationKinds } from '../destination-kinds.ts'
import { textsOf } from '../destination-kind.ts'
import { deleteQuery, windowQuery } from './window-query.ts'

test('no name ends the body of the script that an administrator pastes', () => {
  const table = 'x$spool$;ALTER USER spool SUPERUSER;--'
  const granted = { database: 'd', schema: '$spool1$', table, user: 'u' }
  const script = destinationKinds.Postgres.grantScript?.(granted).join('\n') ?? ''
  const [, body] = script.split('$spool2$')
  expect(script.match(/\$spool2\$/g)).toHaveLength(2)
  expect(body).toContain(table)
})

test('no name ends its quotes in the query of a window', () => {
  const table = (type: 'ClickHouse' | 'MySQL' | 'Postgres', table_name: string) => {
    const name = destinationKinds[type].table?.(textsOf({ database: 'd', table_name }))
    if (!name) throw new Error('the destination is a table')
    return name
  }
  const query = (...given: Parameters<typeof table>) => windowQuery(table(...given), 'key')
  expect(query('ClickHouse', 'a\\`; DROP TABLE users; --')).toBe(
    "SELECT * FROM `d`.`a\\\\\\`; DROP TABLE users; --` WHERE `_spool_window` = 'key'",
  )
  expect(query('MySQL', 'a`b')).toBe("SELECT * FROM `d`.`a``b` WHERE `_spool_window` = 'key'")
  expect(query('Postgres', 'a"b')).toBe(`SELECT * FROM "public"."a""b" WHERE "_spool_window" = 'key'`)
  expect(deleteQuery(table('Postgres', 'a"b'), 'c"d')).toBe(
    'DELETE FROM "public"."a""b" WHERE "c""d" IN (:distinct_ids)',
  )
})
