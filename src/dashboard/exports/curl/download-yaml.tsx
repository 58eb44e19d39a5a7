import { useState } from 'react'
import { useAccount } from '../../account.ts'
import { callForBytes } from '../../api/call.ts'
import { Button } from '../../ui/controls/button.tsx'
import { toastFailure } from '../../ui/feedback/toasts.ts'
import { saveFile } from '../../ui/save-file.ts'

type DownloadYamlProps = {
  fileName: string
  /** By default, all exports of the project. */
  ids?: readonly string[]
}

/** Saves exports as a file that `admin apply` accepts. */
export function DownloadYaml({ fileName, ids = [] }: DownloadYamlProps) {
  const { projectId } = useAccount()
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    const input = { params: { project_id: projectId }, query: { id: [...ids] } }
    await callForBytes('batchExportsAsYaml', input)
      .then((bytes) => saveFile(fileName, new Blob([bytes], { type: 'application/yaml' })))
      .catch(toastFailure('The file could not be downloaded.'))
    setBusy(false)
  }
  return (
    <Button look="quiet" busy={busy} onClick={() => void download()}>
      Download as YAML
    </Button>
  )
}
