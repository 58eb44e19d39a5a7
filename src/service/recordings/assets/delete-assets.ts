import type { Services } from '../../services.ts'
import {
  deleteFiles,
  deleteUnreferenced,
  findUnreferenced,
  hashesWithoutContent,
  withoutContent,
} from '../../store/recordings/recording-assets.ts'
import { assetFolder, assetKey, hashOfKey } from './asset-key.ts'

type StorageServices = Pick<Services, 'store' | 'objects'>

const batchMax = 1000

/** Deletes the files that these recordings name and no other recording names. */
export async function deleteAssets(services: StorageServices, recordingIds: readonly number[]) {
  const contents = await deleteFiles(services.store, recordingIds)
  for (let start = 0; start < contents.length; start += batchMax)
    await deleteContents(services, contents.slice(start, start + batchMax))
}

/** Deletes stored files that no recording names and objects without a row; a crash can leave both. */
export async function removeOrphanedAssets(services: StorageServices): Promise<void> {
  const { store, objects } = services
  for (;;) {
    const contents = await findUnreferenced(store, batchMax)
    await deleteContents(services, contents)
    if (contents.length < batchMax) break
  }
  const projects = await store.selectFrom('projects').select('id').orderBy('id').execute()
  for (const { id: project_id } of projects) {
    const keys = await objects.list(assetFolder(project_id))
    const hashes = keys.flatMap((key) => hashOfKey(key) ?? [])
    for (let start = 0; start < hashes.length; start += batchMax)
      for (const hash of await hashesWithoutContent(store, project_id, hashes.slice(start, start + batchMax)))
        await withoutContent(store, { project_id, hash }, () => objects.delete(assetKey(project_id, hash)))
  }
}

async function deleteContents(
  { store, objects }: StorageServices,
  contents: Parameters<typeof deleteUnreferenced>[1],
) {
  if (contents.length === 0) return
  await deleteUnreferenced(store, contents, ({ project_id, hash }) =>
    objects.delete(assetKey(project_id, hash)),
  )
}
