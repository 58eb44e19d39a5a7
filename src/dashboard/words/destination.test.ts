import { expect, test } from 'vitest'
import { destinationInProject, destinationPlace } from './destination.ts'

const file = { destination: { type: 'File', config: { path: '/lake/{year}' } }, team_id: 1 } as const
const bucket = {
  destination: { type: 'S3', config: { bucket_name: 'lake', prefix: '/raw/' } },
  team_id: 1,
} as const

test('a list shows a path without the folder of its project, so that a narrow column shows the difference', () => {
  expect(destinationPlace(file)).toBe('exports/1/lake/{year}')
  expect(destinationInProject(file)).toBe('lake/{year}')
})

test('a list shows the whole place of a bucket, and of an export outside the folder of its project', () => {
  expect(destinationInProject(bucket)).toBe('s3://lake/raw/')
  expect(destinationInProject({ ...file, in_shared_folder: true })).toBe('exports/lake/{year}')
})
