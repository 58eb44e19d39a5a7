import { Alert, Button, Card, Checkbox, Form, Input, Modal, Progress, Select, Switch, Table, Tag } from 'antd'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

const columns = [
  { title: 'Lamp', dataIndex: 'name' },
  { title: 'State', dataIndex: 'state', render: (state) => <Tag color="green">{state}</Tag> },
]
const lamps = [
  { key: 1, name: 'Brass', state: 'in stock' },
  { key: 2, name: 'Linen', state: 'on its way' },
]

function Page() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title="Lamps" style={{ margin: 16 }}>
      <Alert type="info" showIcon title="Delivery is free" />
      <Form layout="inline" style={{ margin: '16px 0' }}>
        <Form.Item label="Name">
          <Input aria-label="Name" />
        </Form.Item>
        <Form.Item label="Metal">
          <Select
            defaultValue="brass"
            options={[{ value: 'brass', label: 'Brass' }]}
            style={{ width: 120 }}
          />
        </Form.Item>
        <Checkbox defaultChecked>As a gift</Checkbox>
        <Switch defaultChecked />
      </Form>
      <Progress percent={40} />
      <Table columns={columns} dataSource={lamps} pagination={false} size="small" />
      <Button type="primary" onClick={() => setOpen(true)}>
        Order
      </Button>
      <Modal open={isOpen} title="Order the lamp?">
        It arrives in two days.
      </Modal>
    </Card>
  )
}

createRoot(document.querySelector('#root')).render(<Page />)
