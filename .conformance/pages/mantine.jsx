import '@mantine/core/styles.css'
import {
  Alert,
  Badge,
  Button,
  Card,
  Checkbox,
  Group,
  MantineProvider,
  Modal,
  NativeSelect,
  Progress,
  Slider,
  Stack,
  Switch,
  Table,
  Tabs,
  TextInput,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { createRoot } from 'react-dom/client'

const lamps = {
  head: ['Lamp', 'Price'],
  body: [
    ['Brass', '70'],
    ['Linen', '40'],
  ],
}

function Page() {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <Stack p="lg">
      <Tabs defaultValue="lamps">
        <Tabs.List>
          <Tabs.Tab value="lamps">Lamps</Tabs.Tab>
          <Tabs.Tab value="shades">Shades</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      <Alert title="Only three are left">Order soon.</Alert>
      <Group>
        <TextInput label="Name" placeholder="Your name" />
        <NativeSelect label="Metal" data={['Brass', 'Steel']} />
        <Checkbox defaultChecked label="As a gift" />
        <Switch defaultChecked label="Express" />
      </Group>
      <Slider defaultValue={40} />
      <Progress value={40} />
      <Card withBorder>
        <Badge>in stock</Badge>
        <Table data={lamps} />
      </Card>
      <Button onClick={open}>Order</Button>
      <Modal opened={isOpen} onClose={close} title="Order the lamp?">
        It arrives in two days.
      </Modal>
    </Stack>
  )
}

createRoot(document.querySelector('#root')).render(
  <MantineProvider>
    <Page />
  </MantineProvider>,
)
