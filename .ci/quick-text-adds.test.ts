import { join } from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { quickTextAdds } from './quick-text-adds.ts'

const root = join(import.meta.dirname, '..')

/** Builds a module that contains rrweb's replayer, or in its place a file with `code`. */
async function builtReplayer(code?: string): Promise<string> {
  const replayer = join(root, 'node_modules/@rrweb/replay/dist/replay.js')
  const result = await build({
    configFile: false,
    root,
    logLevel: 'silent',
    plugins: [
      { name: 'other', enforce: 'pre', transform: { filter: { id: /replay\.js$/ }, handler: () => code } },
      quickTextAdds(),
    ],
    build: { write: false, minify: false, lib: { entry: replayer, formats: ['es'], fileName: 'replayer' } },
  })
  return JSON.stringify(result)
}

test('the replayer lists the children only of elements whose texts it replaces', async () => {
  expect(await builtReplayer()).toMatch(
    /NodeType\w*\.Text && \(parentSn\.tagName === \\"textarea\\" \|\| parentSn\.tagName === \\"style\\"\)\) \{/,
  )
})

test('a replayer that adds texts differently fails the build', async () => {
  await expect(builtReplayer('export const Replayer = 1')).rejects.toThrow('rrweb has changed')
})
