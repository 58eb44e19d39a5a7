import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { counted, receivedBytes } from './received-bytes.ts'

test('passes on as many bytes as were expected, and no more', async () => {
  const chunks = async function* () {
    for (let count = 0; count < 3; count += 1) yield Buffer.alloc(1024 ** 2)
  }
  const read = (bytesMax: number) => Array.fromAsync(counted(chunks(), receivedBytes(tmpdir(), bytesMax)))
  expect(await read(3 * 1024 ** 2)).toHaveLength(3)
  await expect(read(3 * 1024 ** 2 - 1)).rejects.toThrow('The destination sent more than the expected 3 MB')
})
